/** The flags of `ask`, and of other commands that seat a table. */
import { type Command, Option } from 'commander'
import { carries, efforts } from '../../core/log/event.ts'
import { kinds } from '../../core/question/kind.ts'
import { formats } from '../../core/question/question.ts'
import { searchModes } from '../../core/question/source.ts'
import { defaultProtocol, protocols } from '../../protocols/index.ts'
import { lineupIds } from '../../table/lineups.ts'
import { several } from '../terminal/flags.ts'
import type { AskFlags } from './ask-flags.ts'
import type { OutputFlags } from './run-session.ts'

const protocolHelp = (): string => {
  const widest = Math.max(...protocols.map(({ id }) => id.length))
  const lines = protocols.map(({ id, summary }) => `  ${id.padEnd(widest)}  ${summary}`)
  return `\nWithout a question, or with "-", the question is read from standard input.\n\nProtocols:\n${lines.join('\n')}`
}

/** Who sits at the table, how they are asked, and how they answer. */
export const addTableOptions = (command: Command): Command =>
  command
    .option(
      '--seats <models>',
      'the models to ask: "Claude Sonnet 4.6,GPT-5.5,lab/one"; "me" asks you here, "person:Ada" gives Ada a link',
    )
    .option('--lineup <name>', `the models of a line-up: one that you saved, or ${lineupIds.join(', ')}`)
    .option('--moderator <model>', 'the model that groups the answers and writes the report, or "none"')
    .addOption(
      new Option(
        '--protocol <id>',
        `how the models discuss, see below (default: ${defaultProtocol})`,
      ).choices(protocols.map(protocol => protocol.id)),
    )
    .option('--rounds <count>', 'the maximum number of open rounds, 0 to 4')
    .addOption(
      new Option(
        '--format <format>',
        'the kind of answer (default: open, or choice if there are options)',
      ).choices(formats),
    )
    .addOption(
      new Option('--kind <kind>', 'what kind of question it is (default: the moderator decides)').choices(
        kinds,
      ),
    )
    .option(
      '--options <list>',
      'the options of a choice or ranking: "Yes,No", or "a|b" if they contain commas',
    )
    .option('--unit <unit>', 'the unit of a number')
    .addOption(new Option('--scale <scale>', 'the scale of a number').choices(['linear', 'log']))
    .option(
      '--tolerance <amount>',
      'numbers this close count as the same: an amount in the unit, or a percentage such as 10%',
    )
    .option('--words <number>', 'the length of a text in words, 20 to 3000 (default: about 400)')
    .option('--camps', 'group texts by what they want')
    .addOption(
      new Option('--names <how>', "whether seats see each other's names (default: hidden)").choices([
        'hidden',
        'shown',
      ]),
    )
    .option('--language <code>', 'the language of the answers (default: the language of the question)')
    .option('--budget <cap>', 'stop before it costs more: 0.50 (dollars), 20000tokens, or 0.50,20000tokens')
    .option('--deadline <seconds>', 'how many seconds one answer may take')
    .option(
      '--patience <factor>',
      'go on without a seat that takes so many times as long as most others (at least 10 s)',
    )
    .option(
      '--person-deadline <time>',
      'how long a person may take for an answer, such as 30m or 24h (default: an hour)',
    )
    .option(
      '--attach <file>',
      'attach a text, PDF, Word, Excel or HTML file or a picture; repeat the flag for more files',
      several,
    )
    .option('--excerpts', 'if the files are too long for a model, give all seats the same passages of them')
    .option('--no-citations', 'do not ask the seats to cite the attached files and sources')
    .addOption(
      new Option(
        '--search <how>',
        "search the web: once for all seats, or each seat with its maker's tool (default: off)",
      ).choices(searchModes),
    )
    .option('--no-fetch', 'do not fetch cited pages to look the words up')
    .option('--seed <seed>', 'the seed of all random choices')
    .option('--temperature <number>', 'the temperature of all seats, if the model has one')
    .addOption(
      new Option('--effort <effort>', 'the reasoning effort of all seats, if the model has one').choices(
        efforts,
      ),
    )

export const addAskOptions = (command: Command): Command =>
  addTableOptions(command)
    .option(
      '--after <session>',
      'ask on after a session: an id, the beginning of one, or "last"; the same table unless you name another',
    )
    .addOption(
      new Option('--carry <what>', 'what seats are told of the sessions before (default: camps)').choices(
        carries,
      ),
    )
    .option('--template <name>', 'ask with a template; `templates` lists them')
    .option('--fill <name=value>', 'fill in a blank of the template; repeat the flag for more', several)
    .option(
      '--record',
      'also show the result if votes are weighted by the track record of each model, and count resolved sessions in how often such tables were right',
    )
    .option(
      '--repeat <count>',
      'ask this many times with different seeds, and report how stable the verdict is',
    )
    .option(
      '--letters <books>',
      'books of letters that seats read before they answer: ids, "last" or "all", with commas',
    )
    .option(
      '--sharpen',
      'first have the moderator propose clearer wordings of the question, to take, edit or skip',
    )
    .option('--yes', 'if no other model can answer, download the smallest built-in one without asking')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON when it happens')
    .addHelpText('after', protocolHelp)

/** What `ask` takes, as it was typed. */
export interface AskTableFlags extends AskFlags, OutputFlags {
  readonly after?: string
  readonly yes?: boolean
  readonly record?: boolean
  readonly repeat?: string
  readonly sharpen?: boolean
}
