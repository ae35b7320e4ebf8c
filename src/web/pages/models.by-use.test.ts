import { expect, test } from 'vitest'
import type { ModelReply } from '../../api/table.ts'
import { byUse } from './models.tsx'

const model = (id: string, configured = false): ModelReply => ({
  ...{ id, name: id, maker: 'lab', makerLabel: 'Lab', context: null, price: null, configured },
  ...{ missing: [], local: false, house: false, openWeights: false },
})

test('[U121] the catalogue begins with the models used most, then with those that can be seated, then as listed', () => {
  const models = [model('c one'), model('b', true), model('a'), model('d')]
  const names = (words: string): string[] =>
    byUse(models, new Map([['d', 3]]), words).map(one => one.model.name)
  expect(names('')).toEqual(['d', 'b', 'c one', 'a'])
  expect(names('lab ONE')).toEqual(['c one'])
})
