/** Prompts that a person picks in a chat or an editor: each has a table asked in a way that fits. */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

interface TablePrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What the person is asked for. */
  readonly about: string
  words(about: string): string
}

const report =
  'When the verdict is there, tell me the answer, who disagrees and why, who was silent, and every warning. Do not soften the counts.'

const prompts: readonly TablePrompt[] = [
  {
    name: 'council',
    title: 'Ask a council',
    description: 'A question or decision, put to a round table of models.',
    about: 'The question or decision',
    words: about =>
      `Ask a round table (ask_table) this question. Put everything that the models need to know from our conversation into the question or its attachments. If it is a choice, give the options.\n\n${about}\n\n${report}`,
  },
  {
    name: 'second-opinion',
    title: 'Get a second opinion',
    description: 'What other models think of an answer or a plan.',
    about: 'The answer or plan to check',
    words: about =>
      `Ask a round table (ask_table) whether this holds, with the options "It holds", "It holds with changes" and "It does not hold". Attach the text itself, and do not say what you think of it.\n\n${about}\n\n${report}`,
  },
  {
    name: 'premortem',
    title: 'Hold a premortem',
    description: 'Suppose that a plan failed: why did it?',
    about: 'The plan',
    words: about =>
      `Ask a round table (ask_table): "A year from now this plan has failed. What was the most likely cause, and what would have shown it early?" Attach the plan.\n\n${about}\n\n${report}`,
  },
  {
    name: 'fact-check',
    title: 'Check a fact',
    description: 'Whether a claim is true, as several models see it.',
    about: 'The claim',
    words: about =>
      `Ask a round table (ask_table) whether this claim is true, with the options "True", "False" and "Cannot be known without a source". Models can be wrong together: say what would settle it.\n\n${about}\n\n${report}`,
  },
]

export const addPrompts = (server: McpServer): void => {
  for (const { name, title, description, about, words } of prompts)
    server.registerPrompt(
      name,
      { title, description, argsSchema: z.object({ about: z.string().describe(about) }) },
      given => ({ messages: [{ role: 'user', content: { type: 'text', text: words(given.about) } }] }),
    )
}
