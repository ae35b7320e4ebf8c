/** `export`: writes a session in one of the export formats. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { exporterNamed, exporters } from '../../exports/index.ts'
import { threadNamed } from '../archive/sessions.ts'
import { exporterForFile } from '../session/run-session.ts'
import { printable } from '../terminal/cells.ts'
import type { Shell } from '../terminal/shell.ts'

interface ExportFlags {
  readonly format?: string
  readonly compact?: boolean
  readonly out?: string
}

/** The format that was asked for, or the one that the name of the file implies. */
const exporterFor = ({ format, out }: ExportFlags) => {
  if (format !== undefined) return exporterNamed(format)
  return out === undefined ? exporterNamed('transcript') : exporterForFile(out)
}

/** A pipe gets exactly the document; a terminal gets it without control characters, and with a newline at its end. */
const writeExport = async (name: string, flags: ExportFlags, shell: Shell): Promise<void> => {
  const { events, files, thread } = await threadNamed(name, shell)
  const text = exporterFor(flags).write(events, {
    compact: flags.compact ?? false,
    files,
    ...(thread && { thread }),
  })
  if (flags.out !== undefined) {
    writeFileSync(resolve(shell.cwd, flags.out), text, { mode: 0o600 })
    shell.stderr.write(`Written to ${flags.out}\n`)
    return
  }
  const shown = printable(text, shell.stdout)
  shell.stdout.write(shell.stdout.isTTY && !shown.endsWith('\n') ? `${shown}\n` : shown)
}

export const define = (command: Command, shell: Shell): void => {
  command
    .addOption(
      new Option('--format <format>', 'the format (default: by the name of the file, or transcript)').choices(
        exporters.map(exporter => exporter.id),
      ),
    )
    .option('--compact', 'use the compact layout, if the format has one')
    .option('--out <file>', 'write to a file instead of the terminal')
    .action((name: string, flags: ExportFlags) => writeExport(name, flags, shell))
}
