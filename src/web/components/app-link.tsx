/** A link to a page with parameters. It stays in the app: the page opens even if the server has gone. */
import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'

/** Another button or key means another window, which is the browser's business. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

interface AppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string
}

export const AppLink = ({ href, ...rest }: AppLinkProps) => {
  const { history } = useRouter()
  const follow = (event: MouseEvent): void => {
    if (!isPlain(event)) return
    event.preventDefault()
    history.push(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
