/** Languages by their codes (ISO 639-1). */

const names = new Map<string, string>()

/** "French" for `fr`. Kept once found: the table of names is slow to open. */
export const languageName = (code: string): string => {
  const known = names.get(code)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(code) ?? code
  names.set(code, name)
  return name
}
