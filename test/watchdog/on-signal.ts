/** Loaded into a command: SIGUSR2 makes it hang for good, and SIGHUP keeps it busy for some seconds without hanging. */
const block = (milliseconds: number): void => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

process.on('SIGUSR2', () => block(Number.POSITIVE_INFINITY))
process.on('SIGHUP', async () => {
  for (let round = 0; round < 14; round++) {
    block(500)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  process.stderr.write('No longer busy.\n')
})
