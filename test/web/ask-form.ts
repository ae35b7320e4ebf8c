/** What a person does on the ask page: seats models, and drops files on the question. */
import type { Page } from 'playwright-core'

/** Seats models by their names, with the keyboard. */
export const seat = async (page: Page, ...names: string[]): Promise<void> => {
  await page.getByRole('button', { name: 'Add a model' }).focus()
  await page.keyboard.press('Enter')
  for (const name of names) {
    await page.getByRole('combobox', { name: 'Search models' }).fill(name)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(`${name} is seated.`).waitFor()
  }
  await page.keyboard.press('Escape')
}

/** Its card lies over the button. */
export const choosePoll = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: /^Poll/ }).focus()
  await page.keyboard.press('Space')
}

/** Drops files on the question, all at once. */
export const drop = async (page: Page, files: Readonly<Record<string, Uint8Array>>): Promise<void> => {
  const carried = await page.evaluateHandle(
    list => {
      const transfer = new DataTransfer()
      for (const [name, bytes] of list) transfer.items.add(new File([new Uint8Array(bytes)], name))
      return transfer
    },
    Object.entries(files).map(([name, bytes]) => [name, [...bytes]] as const),
  )
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.locator('#question').dispatchEvent(type, { dataTransfer: carried })
}
