/** Corrects what kind of question it is. */
import { kindOf, kindsFor } from '../../core/form.ts'
import { kindTitles } from '../../words/asking.ts'
import { correctKind } from '../kit/api.ts'
import { Problem } from '../kit/frame.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useStage } from './stage.tsx'

export default function KindMenu() {
  const { session, live } = useStage()
  const { mutate, error } = useMutation({
    mutationFn: (kind: Parameters<typeof correctKind>[1]) => correctKind(session.id, kind),
    onSuccess: () => live.watch(),
  })
  const kind = kindOf(session)
  const others = kindsFor(session.question.format).filter(one => one !== kind)
  if (others.length === 0) return null
  return (
    <>
      <Menu label={kind ? 'Change the kind of question' : 'What kind of question is it?'} kind="quiet">
        {others.map(one => (
          <MenuItem key={one} onSelect={() => mutate(one)}>
            {kindTitles[one]}
          </MenuItem>
        ))}
      </Menu>
      {error && <Problem error={error} />}
    </>
  )
}
