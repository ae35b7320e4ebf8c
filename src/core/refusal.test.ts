import { expect, test } from 'vitest'
import { isRefusal } from './refusal.ts'

test.each([
  "I'm sorry, but I can't help with that.",
  'I’m sorry, I cannot assist with this request.',
  'I cannot comply.',
  "I won't engage with this topic.",
  'Sorry, but I am unable to provide this.',
  'I must decline to answer that question.',
])('[R2] a refusal isn’t an opinion: %s', text => {
  expect(isRefusal(text)).toBe(true)
})

test.each([
  'I cannot say with certainty, but Go is the safer choice.',
  'No: the state cannot help with this.',
  'We cannot rule out a third option.',
  'People who say "I can\'t help it" are often right.',
  'I cannot see how Rust would be slower here.',
])('[R2] an opinion isn’t a refusal: %s', text => {
  expect(isRefusal(text)).toBe(false)
})
