import { defineProblem } from '../../base/problem.ts'

/** Clients know what it is by its beginning (contract: adapters 7.8). */
const keyed = (key: string, sentence: string) => `label.quotaException.${key}: ${sentence}`

/** `path` is absent where the caller may not know the folder. */
export const quotaExceeded = defineProblem(
  'quotaExceeded',
  'tooLarge',
  ({ path, max, room, asked }: { path?: string | undefined; max: number; room: number; asked: number }) =>
    keyed(
      'QuotaExceeded',
      `${path === undefined ? 'A folder above' : `The folder ${path}`} may hold ${bytes(max)} of files, versions and the trash included, ` +
        `and has room for ${bytes(room)}: ${bytes(asked)} more do not fit. Remove something for good, or have an administrator raise the quota.`,
    ),
)

export const quotaAboveParent = defineProblem(
  'quotaAboveParent',
  'conflict',
  ({ asked, path, max, others }: { asked: number; path: string; max: number; others: number }) =>
    keyed(
      'QuotaCanNotBeSet',
      `The folder ${path} may hold ${bytes(max)}, of which folders below it have ${bytes(others)} as their quotas: ` +
        `${bytes(asked)} more cannot be promised. Take a smaller one, or change those first.`,
    ),
)

export const quotaNotValid = defineProblem('quotaNotValid', 'invalid', ({ asked, max }: { asked: string; max: number }) =>
  keyed(
    'QuotaCanNotBeSet',
    `A quota cannot be ${asked}. Send a whole number of bytes up to ${max}, 0 to count without a limit, or -1 to lift it.`,
  ),
)

export const quotaHasNoPlace = defineProblem('quotaHasNoPlace', 'invalid', ({ id, reason }: { id: string; reason: string }) =>
  keyed('QuotaCanNotBeSet', `${id} cannot have a quota: ${reason}. Set it on a folder.`),
)

export const quotaNotActive = defineProblem(
  'quotaNotActive',
  'invalid',
  ({ id }: { id: string }) =>
    `${id} has no quota, and so no statistics. Set one with Quotas.SetMaxSize; 0 counts without a limit.`,
)

function bytes(count: number): string {
  return `${count} ${count === 1 ? 'byte' : 'bytes'}`
}
