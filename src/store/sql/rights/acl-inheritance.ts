import { type Ace, type Acl, effectiveAces } from '../../../model/rights/acl.ts'

/** A document that has ACLs of its own. All below it, down to the next such document, has the same effective list. */
export interface Region {
  readonly path: string
  /** The id of the list its documents have now. */
  readonly acpId: number
  /** The list they are to have. */
  readonly aces: readonly Ace[]
}

export interface OwnRights {
  readonly path: string
  readonly acls: readonly Acl[]
  readonly acpId: number
}

/** Replaces lists at and below a path, all pairs at once. */
export interface AcpReplacement {
  readonly path: string
  readonly pairs: readonly (readonly [from: number, to: number])[]
}

/** The regions of a subtree, top first. `below` is in path order; equal lists of equal parents come out as one object. */
export function planRegions(top: Region, below: readonly OwnRights[]): readonly Region[] {
  const regions = new Map([[top.path, top]])
  const computed = new Map<readonly Ace[], Map<string, readonly Ace[]>>()
  const effective = (acls: readonly Acl[], inherited: readonly Ace[]) => {
    const byOwn = computed.get(inherited) ?? new Map<string, readonly Ace[]>()
    computed.set(inherited, byOwn)
    const key = JSON.stringify(acls)
    const aces = byOwn.get(key) ?? effectiveAces(acls, inherited)
    byOwn.set(key, aces)
    return aces
  }
  for (const { path, acls, acpId } of below) {
    regions.set(path, { path, acpId, aces: effective(acls, nearestAbove(regions, path).aces) })
  }
  return [...regions.values()]
}

/**
 * What brings every region to its new list: one replacement over the whole subtree where each old list has one
 * successor, else one for each region, top down.
 */
export function planReplacements(regions: readonly Region[], idOf: (aces: readonly Ace[]) => number): readonly AcpReplacement[] {
  const successors = new Map<number, number>()
  for (const { acpId, aces } of regions) {
    if ((successors.get(acpId) ?? idOf(aces)) !== idOf(aces)) return planByRegion(regions, idOf)
    successors.set(acpId, idOf(aces))
  }
  const pairs = [...successors].filter(([from, to]) => from !== to)
  const [top] = regions
  return top === undefined || pairs.length === 0 ? [] : [{ path: top.path, pairs }]
}

/** A replacement reaches into the regions below that happen to have the same old list; they are then found with its new one. */
function planByRegion(regions: readonly Region[], idOf: (aces: readonly Ace[]) => number): readonly AcpReplacement[] {
  const planned = new Map<string, AcpReplacement>()
  for (const { path, acpId, aces } of regions) {
    const found = ancestorsOf(path)
      .flatMap((ancestor) => planned.get(ancestor)?.pairs ?? [])
      .reduce((current, [from, to]) => (current === from ? to : current), acpId)
    if (found !== idOf(aces)) planned.set(path, { path, pairs: [[found, idOf(aces)]] })
  }
  return [...planned.values()]
}

function nearestAbove(regions: ReadonlyMap<string, Region>, path: string): Region {
  for (const ancestor of ancestorsOf(path).reverse()) {
    const region = regions.get(ancestor)
    if (region !== undefined) return region
  }
  throw new Error(`${path} is not below the document whose rights change`)
}

/** `/`, `/a` for `/a/b`. */
function ancestorsOf(path: string): string[] {
  const segments = path.split('/').slice(1, -1)
  if (path === '/') return []
  return ['/', ...segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)]
}
