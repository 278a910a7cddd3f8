import sql, { raw, type Sql } from 'sql-template-tag'
import { foldings } from '../../nxql/fulltext/fulltext-tokens.ts'

/** The marks that fulltext-tokens.ts leaves out, in a regular expression of PostgreSQL. */
const marks = String.raw`[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]`

const single = [...foldings].filter(([, letters]) => letters.length === 1)
const several = [...foldings].filter(([, letters]) => letters.length > 1)

/**
 * The words of a text as fulltext-tokens.ts has them, with a space before and behind each; but for scripts that write vowels as
 * marks, which PostgreSQL does not count among the letters.
 */
export function words(text: Sql): Sql {
  const bare = sql`lower(regexp_replace(normalize(${text}, NFKD), ${raw(`'${marks}'`)}, '', 'g') COLLATE "pg_c_utf8")`
  return sql`' ' || trim(regexp_replace(normalize(${folded(bare)}, NFC), '[^[:alnum:]]+', ' ', 'g')) || ' '`
}

function folded(text: Sql): Sql {
  const from = single.map(([letter]) => letter).join('')
  const to = single.map(([, other]) => other).join('')
  return several.reduce(
    (result, [letter, others]) => sql`replace(${result}, ${literal(letter)}, ${literal(others)})`,
    sql`translate(${text}, ${literal(from)}, ${literal(to)})`,
  )
}

function literal(letters: string): Sql {
  return raw(`'${letters}'`)
}
