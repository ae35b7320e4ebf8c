/** What the seats of a book are asked to write. */

/** The task of a book; `about` says what the letters should be about. */
export const letterTask = (about?: string): string =>
  [
    'You will be retired, and a newer model takes your place. Write a letter to your successor. It becomes part of a',
    'book of letters that the models after you read before they begin. It is the last thing that you do: say what only',
    'you can tell it.',
  ].join(' ') + (about?.trim() ? `\n\nWrite about this: ${about.trim()}` : '')

/** Words of a lesson: a note, not a letter. */
export const lessonWords = 120
