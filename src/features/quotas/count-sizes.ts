import { createYieldPoint } from '../../base/event-loop.ts'
import type { Session } from '../../core/session.ts'
import type { PlacedFiles } from '../../store/blob-keys.ts'
import { nothingStored, plus, type Sizes, sizesOfBytes } from './sizes.ts'

const filesInPage = 1_000

type ListPage = (path: string, after: PlacedFiles | undefined, limit: number) => Promise<readonly PlacedFiles[]>

/** What is at and below a path comes to, counted one by one, versions included. */
export async function countSizes({ reader: { blobKeys } }: Pick<Session, 'reader'>, path: string): Promise<Sizes> {
  let sizes = nothingStored
  for await (const { bytes, isTrashed } of everyPlaced(blobKeys.listPlaced, path)) {
    sizes = plus(sizes, sizesOfBytes(bytes, { isVersion: false, isTrashed }))
  }
  for await (const { bytes } of everyPlaced(blobKeys.listPlacedVersions, path)) {
    sizes = plus(sizes, sizesOfBytes(bytes, { isVersion: true, isTrashed: false }))
  }
  return sizes
}

/** Live documents with files at and below a path. */
export function everyFile({ reader: { blobKeys } }: Pick<Session, 'reader'>, path: string): AsyncGenerator<PlacedFiles> {
  return everyPlaced(blobKeys.listPlaced, path)
}

async function* everyPlaced(list: ListPage, path: string): AsyncGenerator<PlacedFiles> {
  const yieldPoint = createYieldPoint()
  for (let page: readonly PlacedFiles[] | undefined; page === undefined || page.length === filesInPage; ) {
    page = await list(path, page?.at(-1), filesInPage)
    yield* page
    await yieldPoint()
  }
}
