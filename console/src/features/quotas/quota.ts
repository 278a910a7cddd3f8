import type { Document } from '../../api/types.ts'

/** What a folder holds at this moment, and how much it may. */
export type Quota = NonNullable<NonNullable<Document['contextParameters']>['quota']>

/** What is live, in versions and in the trash, as shares of a bar that is as long as what is allowed, or as what there is if that is more. */
export function sharesOf({ totalSize, sizeTrash, sizeVersions, maxSize }: Quota) {
  const whole = Math.max(totalSize, maxSize, 1)
  const live = totalSize - sizeTrash - sizeVersions
  return [
    { kind: 'live', bytes: live, share: live / whole },
    { kind: 'versions', bytes: sizeVersions, share: sizeVersions / whole },
    { kind: 'trash', bytes: sizeTrash, share: sizeTrash / whole },
  ] as const
}

/** From here on somebody has to make room soon. */
const nearlyFull = 0.9

export function fullnessOf({ totalSize, maxSize }: Quota): 'full' | 'nearlyFull' | 'roomy' {
  if (maxSize === 0) return 'roomy'
  if (totalSize >= maxSize) return 'full'
  return totalSize >= maxSize * nearlyFull ? 'nearlyFull' : 'roomy'
}
