/** Word: the text of its paragraphs. Macros, links to other files and pictures are left out. */
import { type Reader, Unreadable } from '../reader.ts'
import { repacked } from '../unpack.ts'

export const word: Reader = async bytes => {
  const buffer = Buffer.from(repacked(bytes, 'word/document.xml'))
  const { default: mammoth } = await import('mammoth')
  try {
    const { value } = await mammoth.extractRawText({ buffer })
    // It ends each paragraph with two line breaks: one is enough to cite a line.
    return [{ text: value.replaceAll('\n\n', '\n') }]
  } catch (error) {
    throw new Unreadable(`it is not a Word file that can be read (${(error as Error).message.slice(0, 200)})`)
  }
}
