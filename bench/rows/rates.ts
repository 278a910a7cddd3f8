import type { Finding } from '../report/finding.ts'
import { type Contender, measureInTurns, type Pace } from '../rounds.ts'
import type { ServedSite } from '../site.ts'
import { auditRows, writingAuditRows } from './audit.ts'
import { changeRights } from './change-rights.ts'
import { checkIn } from './check-in.ts'
import { checkRights } from './check-rights.ts'
import { makeThumbnail, readPdfText } from './conversions.ts'
import { createAgainstLoop, createAlone, createTogether } from './create-document.ts'
import { fileRows } from './files.ts'
import { gatheredRows } from './gathered-documents.ts'
import { listChildren, listChildrenAgainstLoop, listChildrenAnew, listChildrenWithProperties } from './list-children.ts'
import { listComments } from './list-comments.ts'
import { operationRows, writingOperationRows } from './operations.ts'
import type { RateRow } from './rate-row.ts'
import { readAnywhere, readById, readByPath } from './read-document.ts'
import { review, reviewAgainstLoop } from './review.ts'
import { searchRows } from './search-rows.ts'
import { signInRows } from './sign-in.ts'
import { updateDocument } from './update-document.ts'

/**
 * Those that write come last: they make the repository larger than it was filled. One request at a time comes behind many,
 * because it alone would take minutes to warm the server up.
 */
export const rateRows: readonly RateRow[] = [
  readById,
  readByPath,
  readAnywhere,
  ...signInRows,
  listChildren,
  listChildrenWithProperties,
  listChildrenAnew,
  listChildrenAgainstLoop,
  ...searchRows,
  checkRights,
  ...operationRows,
  listComments,
  ...gatheredRows,
  ...auditRows,
  readPdfText,
  makeThumbnail,
  updateDocument,
  ...writingOperationRows,
  createTogether,
  createAgainstLoop,
  createAlone,
  ...writingAuditRows,
  checkIn,
  review,
  reviewAgainstLoop,
  changeRights,
  ...fileRows,
]

/** All repositories take part in the same rounds, so that their rates can be compared with each other, too. */
export async function measureRates(row: RateRow, sites: readonly ServedSite[], seconds: number): Promise<readonly Finding[]> {
  const contenders: Contender[] = []
  try {
    for (const site of sites) {
      const { quire, bare } = await row.prepare(site)
      contenders.push(quire, bare)
    }
    const paces = await measureInTurns(contenders, seconds)
    return sites.map(({ files }, index) => findingOf(row, files, paces.slice(2 * index, 2 * index + 2)))
  } finally {
    for (const contender of contenders) await contender.stop()
  }
}

function findingOf(measured: RateRow, files: number, [quire, bare]: readonly Pace[]): Finding {
  const { name: row, title, leastShare, growsWithMatches } = measured
  if (quire === undefined || bare === undefined) throw new Error(`The row ${row} has nothing to compare.`)
  const bounds = { ...(leastShare !== undefined && { leastShare }), ...(growsWithMatches && { growsWithMatches }) }
  return { row, title, files, measure: { kind: 'rate', quire, bare, ...bounds } }
}
