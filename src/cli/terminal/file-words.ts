/** Why a file can't be read, without the words of the operating system where there are better ones. */
const known: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

/** "there is no such file" */
export const whyUnread = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return known[code] ?? message
}
