/** The width of an element in pixels: drawings are laid out in real ones, so that their type keeps its size. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export const useWidth = <Element extends HTMLElement>(): [RefObject<Element | null>, number] => {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    setWidth(Math.floor(element.current.getBoundingClientRect().width))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
