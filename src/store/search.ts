/** Sessions by their words, in one statement that is as fast for a word of few sessions as for one of most. */
import { and, type SQL, sql } from 'drizzle-orm'
import { searchPrefixIn } from './archive/search-prefix.ts'
import { sessions, stemmers, wholeWords } from './schema.ts'

export const newest = sql`${sessions.openedAt} COLLATE "C" DESC, ${sessions.id} COLLATE "C" DESC`

/** So many of the newest are looked through. */
const looked = 200

const languages = `{${[wholeWords, ...stemmers.values()].join(',')}}`

/**
 * What matches in any of the languages: whoever searches need not say in which one the session was. Most languages
 * make the same of a word, and it is asked once. Empty where the text has no word.
 */
const inAnyLanguage = (words: string): SQL => {
  if (words.trim() === '') return sql`''::tsquery`
  return sql`(
    SELECT coalesce(string_agg(DISTINCT '(' || query::text || ')', '|'), '')::tsquery
    FROM unnest(${languages}::regconfig[]) AS language, websearch_to_tsquery(language, ${words}) AS query
    WHERE numnode(query) > 0)`
}

/** The words, or those that begin like the last of them. */
const askedFor = (words: string): SQL => {
  const begun = searchPrefixIn(words)
  if (!begun) return inAnyLanguage(words)
  const beginning = sql`to_tsquery(${wholeWords}, ${`${begun.beginning}:*`})`
  return sql`${inAnyLanguage(words)} || (${inAnyLanguage(begun.before)} && ${beginning})`
}

/**
 * That a session is among the newest so many which have the words and pass the conditions. A word of most sessions
 * fills the page from the newest ones alone; any other is looked up in the index. Left to choose, the database takes
 * rare words for common ones, and reads every session until the page is full.
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
