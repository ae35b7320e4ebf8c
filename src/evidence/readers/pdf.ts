/** PDF: the text of each page. Nothing in the file is run. */
import { mostParts, type Reader, Unreadable } from '../reader.ts'

const failureWords = (error: unknown): string => {
  const { name = '', message = '' } = error instanceof Error ? error : {}
  if (name === 'PasswordException') return 'it is encrypted: save a copy without a password'
  return `it is not a PDF that can be read (${message.slice(0, 200) || 'broken'})`
}

export const pdf: Reader = async bytes => {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: unknown) => {
    throw new Unreadable(failureWords(error))
  })
  if (document.numPages > mostParts)
    throw new Unreadable(
      `it has ${document.numPages} pages, and at most ${mostParts} are read: attach a part of it`,
    )
  const { extractText } = await import('unpdf')
  const { text } = await extractText(document, { mergePages: false }).catch((error: unknown) => {
    throw new Unreadable(failureWords(error))
  })
  if (text.every(page => page.trim() === ''))
    throw new Unreadable('it has no text, only pictures of pages: attach a copy with text')
  return text.map((page, index) => ({ label: `p. ${index + 1}`, text: page }))
}
