/** A drawing of the core as elements of the page. */
import { createElement, type ReactElement } from 'react'
import type { DrawnShape } from '../../core/drawing/shape.ts'

interface DrawingProps {
  readonly shape: DrawnShape
  readonly className?: string
}

export const Drawing = ({ shape: { tag, attributes, children }, className }: DrawingProps): ReactElement =>
  createElement(
    tag,
    { ...attributes, className },
    // The parts of a drawing have no names, and never change their places.
    ...children.map(child => (typeof child === 'string' ? child : <Drawing shape={child} />)),
  )
