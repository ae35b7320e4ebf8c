/** `export`: writes a session in one of the forms there are. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { exporterNamed, exporters } from '../../exports/index.ts'
import { sessionNamed } from '../archive/sessions.ts'
import { exporterForFile } from '../session/run-session.ts'
import type { Shell } from '../terminal/shell.ts'

interface ExportFlags {
  readonly format?: string
  readonly compact?: boolean
  readonly out?: string
}

/** The form that was asked for, or that the file's ending stands for. */
const formFor = ({ format, out }: ExportFlags) => {
  if (format !== undefined) return exporterNamed(format)
  return out === undefined ? exporterNamed('transcript') : exporterForFile(out)
}

/** What goes into a pipe is the document to the byte; a terminal also gets a line's end. */
const writeExport = async (name: string, flags: ExportFlags, shell: Shell): Promise<void> => {
  const form = formFor(flags)
  const text = form.write(await sessionNamed(name, shell), { compact: flags.compact ?? false })
  if (flags.out !== undefined) {
    writeFileSync(resolve(shell.cwd, flags.out), text, { mode: 0o600 })
    shell.stderr.write(`Written to ${flags.out}\n`)
    return
  }
  shell.stdout.write(shell.stdout.isTTY && !text.endsWith('\n') ? `${text}\n` : text)
}

export const define = (command: Command, shell: Shell): void => {
  command
    .addOption(
      new Option('--format <form>', "the form (default: the file ending's, or transcript)").choices(
        exporters.map(exporter => exporter.id),
      ),
    )
    .option('--compact', 'the tighter layout, where the form has two')
    .option('--out <file>', 'write to a file')
    .action((name: string, flags: ExportFlags) => writeExport(name, flags, shell))
}
