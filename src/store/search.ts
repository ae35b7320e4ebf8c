/** Finds sessions by their words, in one statement that is fast for rare and for common words. */
import { and, type SQL, sql } from 'drizzle-orm'
import { searchPrefixIn } from './archive/search-prefix.ts'
import { sessions, stemmers, wholeWords } from './schema.ts'

export const newest = sql`${sessions.openedAt} COLLATE "C" DESC, ${sessions.id} COLLATE "C" DESC`

/**
 * Their own sessions and the team's. The expression is part of the index of words (migration 7), so that a search doesn't
 * touch the rows of others: their number would show in its time.
 */
export const seenBy = (viewer: string): SQL =>
  sql`ARRAY[${sessions.owner}, CASE ${sessions.visibility} WHEN 'team' THEN '*' END] && ARRAY['*', ${viewer}::text]`

/** How many of the newest sessions are scanned. */
const looked = 200

const languages = `{${[wholeWords, ...stemmers.values()].join(',')}}`

/**
 * Matches in any of the languages, so that a search need not say in which language the session was. Most languages make
 * the same query of a word, and it is asked only once. Empty if the text has no word.
 */
const inAnyLanguage = (words: string): SQL => {
  if (words.trim() === '') return sql`''::tsquery`
  return sql`(
    SELECT coalesce(string_agg(DISTINCT '(' || query::text || ')', '|'), '')::tsquery
    FROM unnest(${languages}::regconfig[]) AS language, websearch_to_tsquery(language, ${words}) AS query
    WHERE numnode(query) > 0)`
}

/** Matches the words, or words that begin like the last of them. */
const askedFor = (words: string): SQL => {
  const prefix = searchPrefixIn(words)
  if (!prefix) return inAnyLanguage(words)
  const beginning = sql`to_tsquery(${wholeWords}, ${`${prefix.beginning}:*`})`
  return sql`${inAnyLanguage(words)} || (${inAnyLanguage(prefix.before)} && ${beginning})`
}

/**
 * Whether a session is among the newest `most` that have the words and meet the conditions. A common word fills the page
 * from the newest sessions alone; any other is looked up in the index. Left to choose, the database would take rare words
 * for common ones, and read every session until the page is full.
 */
export const matching = (words: string, conditions: readonly SQL[], most: number): SQL => sql`
  ${sessions.id} IN (
    WITH asked AS MATERIALIZED (SELECT ${askedFor(words.replaceAll('\0', ' '))} AS query),
    recent AS MATERIALIZED (
      SELECT ${sessions.id}
      FROM (SELECT * FROM ${sessions} WHERE ${and(sql`TRUE`, ...conditions)} ORDER BY ${newest} LIMIT ${looked}) AS sessions
      WHERE ${sessions.words} @@ (SELECT query FROM asked) ORDER BY ${newest} LIMIT ${most}
    )
    SELECT id FROM recent WHERE (SELECT count(*) FROM recent) = ${most}
    UNION ALL (
      SELECT ${sessions.id} FROM ${sessions}
      WHERE (SELECT count(*) FROM recent) < ${most} AND ${and(sql`${sessions.words} @@ (SELECT query FROM asked)`, ...conditions)}
      ORDER BY ${newest} LIMIT ${most}
    )
  )`
