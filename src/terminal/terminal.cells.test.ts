import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clean, cut, oneLine, padEnd, widthOf, wrap } from './terminal.ts'

describe('text on a terminal', () => {
  test('[T20] no control character or escape sequence of a text survives', () => {
    expect(clean('a\x1b[31mred\x1b[0m\x1b]0;title\x07b\x9b2Jc\rd\u202ee')).not.toMatch(
      /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/,
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(clean(text)).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
        expect(oneLine(text)).not.toContain('\n')
      }),
    )
  })

  test('[T21] wide characters take two cells, combining marks none', () => {
    expect(widthOf('abc')).toBe(3)
    expect(widthOf('日本語')).toBe(6)
    expect(widthOf('한국어')).toBe(6)
    expect(widthOf('👩‍👩‍👧')).toBe(2)
    expect(widthOf('🇫🇷')).toBe(2)
    expect(widthOf('❤\ufe0f')).toBe(2)
    expect(widthOf('❤')).toBe(1)
    expect(widthOf('e\u0301')).toBe(1)
    expect(widthOf('✓ ⇄ … —')).toBe(7)
    expect(widthOf('\x1b[1mbold\x1b[22m')).toBe(4)
  })

  test('[T21] cut, padded and wrapped text never takes more cells than there are', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map(oneLine)
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (words, width) => {
        expect(widthOf(cut(words, width))).toBeLessThanOrEqual(width)
        expect(widthOf(padEnd(cut(words, width), width))).toBe(width)
        for (const line of wrap(words, width)) expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(wrap(words, width).join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''))
      }),
    )
  })

  test('wraps at words, and scripts without spaces anywhere', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap('日本語のテキスト', 6)).toEqual(['日本語', 'のテキ', 'スト'])
    expect(wrap('a\n\nb', 8)).toEqual(['a', '', 'b'])
  })
})

test('[T446] no mark that turns or hides text reaches a terminal; joiners that pictures and scripts need do', () => {
  expect(clean('a\u202eb\u2066c\u200bd\u2060e\u00adf\u2063g')).toBe('abcdefg')
  expect(clean('👩\u200d🚀 می\u200cخواهم')).toBe('👩\u200d🚀 می\u200cخواهم')
})
