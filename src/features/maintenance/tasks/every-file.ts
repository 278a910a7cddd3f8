import { type BlobUses, usesByKey } from '../../../core/blob-check/check-blobs.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'

/** Where a walk through the files of all repositories was left. */
export type FilePlace = { readonly repository: string; readonly key: string } | null

interface FoundFile {
  readonly repository: Repository
  readonly uses: BlobUses
  readonly place: FilePlace
}

/** Each file that documents have, in the order of repositories and keys, behind the place. */
export async function* everyFile({ repositories }: Pick<Services, 'repositories'>, from: FilePlace): AsyncGenerator<FoundFile> {
  const all = [...repositories.values()]
  const first =
    from === null
      ? 0
      : Math.max(
          0,
          all.findIndex(({ name }) => name === from.repository),
        )
  for (const repository of all.slice(first)) {
    const after = repository.name === from?.repository ? from.key : undefined
    for await (const uses of usesByKey(repository, after))
      yield { repository, uses, place: { repository: repository.name, key: uses[0].key } }
  }
}

export async function countFiles({ repositories }: Pick<Services, 'repositories'>): Promise<number> {
  const counts = await Promise.all([...repositories.values()].map(({ store }) => store.reader.blobKeys.count()))
  return counts.reduce((sum, count) => sum + count, 0)
}
