import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import type { TermPattern } from '../../directories.ts'
import { longestTerm, piecesOf } from '../../directory-terms.ts'
import { mayBeStored } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'
import { behindPrefix } from '../search/text-bounds.ts'

const isFalse = raw('FALSE')

/** Whether the term in the column is what the pattern says. What begins so is a range of the index, whatever comes behind. */
export function hasTerm(dialect: Dialect, column: Sql, pattern: TermPattern): Sql {
  // Nothing so long is stored.
  if (!mayBeStored(pattern.text) || pattern.text.length > longestTerm) return isFalse
  const pieces = piecesOf(pattern)
  const [first] = pieces
  const prefix = first?.kind === 'text' ? first.text : ''
  const conditions = [sql`${column} >= ${prefix}`]
  const behind = behindPrefix(prefix)
  if (behind !== undefined) conditions.push(sql`${column} < ${behind}`)
  if (!isPrefix(pieces)) conditions.push(dialect.search.like(column, pieces))
  return join(conditions, ' AND ')
}

/** The range says all there is to say. */
function isPrefix(pieces: readonly LikePiece[]): boolean {
  return pieces.every(({ kind }, index) => kind === (index === 0 ? 'text' : 'run')) || pieces.every(({ kind }) => kind === 'run')
}
