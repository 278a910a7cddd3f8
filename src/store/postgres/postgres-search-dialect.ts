import sql, { join, raw, type Sql } from 'sql-template-tag'
import {
  type FulltextAlternative,
  type FulltextQuery,
  type FulltextTerm,
  soughtWords,
} from '../../nxql/fulltext/fulltext-expression.ts'
import { relevance, type SoughtWord } from '../../nxql/fulltext/fulltext-tokens.ts'
import type { LikePiece } from '../../nxql/like-pattern.ts'
import { lineOf } from '../sql/documents/document-index.ts'
import { quoted } from '../sql/quoted.ts'
import type { FulltextColumn, JsonPlace, SearchDialect } from '../sql/search/search-dialect.ts'
import { words } from './postgres-words.ts'

export const postgresSearchDialect: SearchDialect = {
  text,
  number: (place) => sql`CASE WHEN jsonb_typeof(${jsonAt(place)}) = 'number' THEN (${textAt(place)})::numeric END`,
  flag: (place) => sql`CASE ${jsonAt(place)} WHEN 'true'::jsonb THEN 1 WHEN 'false'::jsonb THEN 0 END`,
  items: (list, alias) => sql`jsonb_array_elements(CASE WHEN jsonb_typeof(${jsonAt(list)}) = 'array' THEN ${jsonAt(list)} END)
    WITH ORDINALITY AS ${raw(alias)}(item, ordinal)`,
  position: (alias) => raw(`(${alias}.ordinal - 1)`),
  isThere: (alias) => raw(`${alias}.item <> 'null'::jsonb`),
  ownAces: raw(`CASE WHEN documents.acls IS NOT NULL THEN (
    SELECT jsonb_agg(ace.item || jsonb_build_object('acl', acl.item -> 'name') ORDER BY acl.ordinal, ace.ordinal)
      FROM jsonb_array_elements(documents.acls) WITH ORDINALITY AS acl(item, ordinal)
     CROSS JOIN jsonb_array_elements(acl.item -> 'aces') WITH ORDINALITY AS ace(item, ordinal)) END`),
  indexedValues: (name) => sql`(
    SELECT jsonb_agg(indexed.value) FROM document_values AS indexed WHERE indexed.name = ${name} AND indexed.seq = documents.seq)`,
  numeric: (value) => sql`${String(value)}::numeric`,
  isReadable: (column, acps) => sql`${column} = ANY(${acps}::bigint[])`,
  oneOfNumerics: (values) => sql`= ANY(${values.map(String)}::numeric[])`,
  hasAnyItem: (list, values) => sql`jsonb_exists_any(${list}, ${values}::text[])`,
  plansBlindly: false,
  notByIndex: (expression) => expression,
  // Makes no join of what is inside, and looks for no index.
  unplanned: (condition) => sql`CASE WHEN ${condition} THEN TRUE ELSE FALSE END`,
  like: (text, pattern) => sql`${text} LIKE ${pattern.map(likeOf).join('')}`,
  matchesExpression: (text, expression) => sql`${text} ~ ${expression}`,
  lowered,
  words,
  matching: (column, query) => sql`SELECT fulltext.seq FROM fulltext WHERE ${matches(column, query)}`,
  matchesDocument: (column, query) =>
    sql`EXISTS (SELECT 1 FROM fulltext WHERE fulltext.seq = documents.seq AND ${matches(column, query)})`,
  scored: (column, query) => sql`
    SELECT fulltext.seq, ${scoreOf(column, query)} AS score FROM fulltext JOIN word_counts USING (seq) WHERE ${matches(column, query)}`,
  exactSum: (number) => sql`sum(${number})::text`,
  sum: (number) => sql`sum(${number})::float8`,
  floorTo: (number, width) => sql`(floor(${number} / ${width}::numeric) * ${width}::numeric)::float8`,
  pathSegment: (depth) => sql`nullif(split_part(documents.path, '/', ${depth + 1}::int), '')`,
}

function text(place: JsonPlace): Sql {
  return sql`(${textAt(place)}) COLLATE "C"`
}

function jsonAt({ root, steps }: JsonPlace): Sql {
  const way = steps.map((step) => ` -> ${keyOf(step)}`).join('')
  return sql`(${root.kind === 'item' ? raw(`${root.alias}.item`) : root.json}${raw(way)})`
}

function textAt({ root, steps }: JsonPlace): Sql {
  const last = steps.at(-1)
  if (last === undefined) return sql`${jsonAt({ root, steps })} #>> '{}'`
  return sql`${jsonAt({ root, steps: steps.slice(0, -1) })} ->> ${raw(keyOf(last))}`
}

function keyOf(step: string | number): string {
  return typeof step === 'number' ? String(step) : quoted(step)
}

function likeOf(piece: LikePiece): string {
  if (piece.kind === 'text') return piece.text.replace(/[\\%_]/g, '\\$&')
  return piece.kind === 'run' ? '%' : '_'
}

/** Letter by letter, as letter-case.ts has it; only the dotted capital I becomes two. The same on every machine, since 17. */
function lowered(text: Sql): Sql {
  return sql`lower(replace(${text}, U&'\\0130', U&'i\\0307') COLLATE "pg_c_utf8")`
}

/** Words alone and their exclusions the index decides; what it says of phrases is checked with the words in their order. */
function matches(column: FulltextColumn, { alternatives }: FulltextQuery): Sql {
  return sql`(${join(
    alternatives.map((alternative) => matchesAlternative(column, alternative)),
    ' OR ',
  )})`
}

function matchesAlternative(column: FulltextColumn, { required, excluded }: FulltextAlternative): Sql {
  const words = [...required.map(asWords), ...excluded.filter(isWord).map((term) => `!${asWords(term)}`)].join(' & ')
  const wordsInOrder = (term: FulltextTerm) => sql`fulltext.${raw(column)}_text LIKE ${inOrder(term)}`
  const conditions = [
    sql`fulltext.${raw(column)} @@ ${words}::tsquery`,
    ...required.filter((term) => !isWord(term)).map(wordsInOrder),
    ...excluded.filter((term) => !isWord(term)).map((term) => sql`NOT ${wordsInOrder(term)}`),
  ]
  return sql`(${join(conditions, ' AND ')})`
}

/** As relevance.ts has it. */
function scoreOf(column: FulltextColumn, query: FulltextQuery): Sql {
  const { scale, each, none, word, unit } = relevance
  const counts = sql`split_part(word_counts.counts, E'\\n', ${raw(String(lineOf(column) + 1))})`
  const parts = soughtWords(query).map((sought) => {
    const frequency = frequencyOf(sought)
    return sql`(SELECT ${raw(String(scale))} * n / (${raw(String(each))} * n + ${raw(String(none))} + ${raw(String(word))} * counted.length)
      FROM (SELECT ${frequency}::bigint AS n) AS frequency)`
  })
  return sql`(SELECT (${join(parts, ' + ')})::float8 / ${raw(String(unit))}
    FROM (SELECT line.counts, split_part(line.counts, ' ', 1)::bigint AS length FROM (SELECT ${counts} AS counts) AS line) AS counted)`
}

/** How often a word is in `counts`. A word holds letters, marks and digits only: in an expression it is nothing else. */
function frequencyOf({ word, isPrefix }: SoughtWord): Sql {
  if (!isPrefix) {
    return sql`(CASE WHEN strpos(counted.counts, ${` ${word} `}) > 0 THEN 1
      ELSE coalesce(substring(counted.counts from ${` ${word}:(\\d+) `}), '0')::bigint END)`
  }
  return sql`(SELECT coalesce(sum(coalesce(found.matches[1], '1')::bigint), 0)
    FROM regexp_matches(counted.counts, ${` ${word}[^ :]*(?::(\\d+))?(?= )`}, 'g') AS found(matches))`
}

/** All words of a term, wherever they are. Words hold letters, marks and digits only: in quotes they are nothing else. */
function asWords({ words, isPrefix }: FulltextTerm): string {
  return `(${words.map((word, index) => `'${word}'${isPrefix && index === words.length - 1 ? ':*' : ''}`).join(' & ')})`
}

function inOrder({ words, isPrefix }: FulltextTerm): string {
  return `% ${words.join(' ')}${isPrefix ? '' : ' '}%`
}

function isWord({ words }: FulltextTerm): boolean {
  return words.length === 1
}
