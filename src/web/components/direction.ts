/** Which way a text runs, by its first letter that says so: what stands around it, such as its edge, runs the same way. */

const strong = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|(\p{L})/u

export const directionOf = (text: string): 'ltr' | 'rtl' => {
  const found = strong.exec(text)
  return found && found[1] === undefined ? 'rtl' : 'ltr'
}
