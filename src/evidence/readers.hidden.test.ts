import { expect, test } from 'vitest'
import { html } from './readers.ts'

const read = async (page: string): Promise<string> =>
  (await html(new TextEncoder().encode(page))).map(({ text }) => text).join('\n')

const secret = 'the hidden rent'

test.each([
  `<p style="display:none">${secret}</p>`,
  `<div style="color: red; DISPLAY : None !important"><p>${secret}</p></div>`,
  `<p style="visibility:hidden">${secret}</p>`,
  `<p style="opacity: 0">${secret}</p>`,
  `<p style="font-size:0px">${secret}</p>`,
  `<p hidden>${secret}</p>`,
  `<p hidden="until-found">${secret}</p>`,
  `<template><p>${secret}</p></template>`,
  `<noscript>${secret}</noscript>`,
  `<dialog>${secret}</dialog>`,
  `<table><tr hidden><td>${secret}</td></tr><tr><td style="display:none">${secret}</td><td>x</td></tr></table>`,
  `<ul><li hidden>${secret}</li><li>x</li></ul>`,
])('[EV142] what nobody sees is not the text of a page: %s', async hidden => {
  for (const page of [hidden, `<!doctype html><html><head><title>T</title></head><body>${hidden}`]) {
    const text = await read(`${page}<p>The rent is 900 euros.</p>`)
    expect(text).not.toContain(secret)
    expect(text).toContain('The rent is 900 euros.')
  }
})

test('[EV142] what people see stays: a folded part, an open dialog, and what only screen readers skip', async () => {
  const text = await read(
    '<details><summary>More</summary>Folded.</details><dialog open>Asked.</dialog><p aria-hidden="true">Seen.</p><p style="opacity:0.5; background:url(none)">Pale.</p>',
  )
  for (const words of ['More', 'Folded.', 'Asked.', 'Seen.', 'Pale.']) expect(text).toContain(words)
})

test('[EV142] a page of nothing but elements is read', async () => {
  const deep = '<div style=";  ; ;">'.repeat(50_000)
  expect(await read(deep)).toBeTypeOf('string')
  expect(await read('<br>'.repeat(300_000))).toBeTypeOf('string')
})
