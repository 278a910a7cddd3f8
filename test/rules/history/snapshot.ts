import { isDeepStrictEqual } from 'node:util'
import { repeating } from '../../../src/core/documents/proxies/proxy.ts'
import type { Repository } from '../../../src/core/session.ts'
import type { Document, DocumentId } from '../../../src/model/document.ts'
import type { Model } from '../../../src/model/model.ts'
import { joinPath } from '../../../src/model/path-segment.ts'
import { type Ace, effectiveAces } from '../../../src/model/rights/acl.ts'

/** Everything at and below a path, with the versions of what is there. */
export interface Snapshot {
  readonly top: Document
  /** In the order of paths, the top first. */
  readonly documents: readonly Document[]
  /** Oldest first. */
  readonly versions: ReadonlyMap<DocumentId, readonly Document[]>
  /** Effective entries, by the id of their list. */
  readonly aces: ReadonlyMap<number, readonly Ace[]>
  /** What proxies show, wherever that is. */
  readonly targets: ReadonlyMap<DocumentId, Document>
  readonly model: Model
}

export async function takeSnapshot({ store, model }: Repository, path: string): Promise<Snapshot> {
  const { documents: reader, acps } = store.reader
  const top = await reader.findByPath(path)
  if (top === undefined) throw new Error(`There is nothing at ${path}.`)
  const documents = [top, ...(await reader.listBelow(path, undefined, 10_000))]
  const versions = new Map<DocumentId, readonly Document[]>()
  for (const { id, isProxy } of documents) if (!isProxy) versions.set(id, await reader.listVersions(id))
  const aces = new Map<number, readonly Ace[]>()
  const parent = top.parentId === null ? undefined : await reader.find(top.parentId)
  for (const { acpId } of [...documents, ...[...versions.values()].flat(), ...(parent ? [parent] : [])]) {
    if (!aces.has(acpId)) aces.set(acpId, (await acps.find(acpId))?.aces ?? [])
  }
  const shown = await reader.findAll(documents.flatMap(({ targetId }) => targetId ?? []))
  return { top, documents, versions, aces, targets: new Map(shown.map((target) => [target.id, target])), model }
}

/** What contradicts itself, as sentences; none in a sound repository. */
export function findContradictions({ top, documents, versions, aces, targets, model }: Snapshot): readonly string[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const found: string[] = []
  const positions = new Set<string>()
  for (const document of documents) {
    const { id, path, name, parentId, position, targetId, isProxy, seriesId } = document
    const say = (sentence: string) => found.push(`${path} ${sentence}`)
    const parent = byId.get(parentId ?? '')
    if (document !== top) {
      if (parent === undefined) say('has a parent that is not there')
      else if (path !== joinPath(parent.path ?? '', name)) say(`is not where its parent ${parent.path} is`)
      const inherited = aces.get(parent?.acpId ?? -1) ?? []
      const expected = parent?.isProxy ? inherited : effectiveAces(document.acls, inherited)
      if (!isDeepStrictEqual(aces.get(document.acpId), expected)) say('has other rights than its own and those it inherits')
    }
    if (position !== null && !isNewIn(positions, `${parentId} ${position}`)) say('shares its position with a sibling')
    if (isProxy) {
      const series = seriesId === null ? [] : (versions.get(seriesId) ?? [])
      const isLive = targetId === seriesId
      // Of a live document that is gone there is nothing here to look at.
      if (byId.has(seriesId ?? '') && !isLive && !series.some((version) => version.id === targetId)) say('shows nothing')
      const target = targets.get(targetId ?? '')
      if (target !== undefined && !isDeepStrictEqual(document, repeating(model, document, target))) {
        say(`does not repeat what it shows: ${JSON.stringify(document)} of ${JSON.stringify(target)}`)
      }
    }
    for (const sentence of contradictionsOf(document, versions.get(id) ?? [])) say(sentence)
  }
  return found
}

function* contradictionsOf(live: Document, versions: readonly Document[]): Iterable<string> {
  const latest = versions.filter(({ isLatestVersion }) => isLatestVersion)
  if (latest.length !== Math.min(1, versions.length) || latest[0] !== versions.at(-1))
    yield 'has not one latest version, the last'
  const majors = versions.filter(({ minorVersion }) => minorVersion === 0)
  const latestMajors = versions.filter(({ isLatestMajorVersion }) => isLatestMajorVersion)
  if (latestMajors.length !== Math.min(1, majors.length) || latestMajors[0] !== majors.at(-1)) {
    yield 'has not one latest major version, the last'
  }
  const labels = versions.map(({ majorVersion, minorVersion }) => `${majorVersion}.${minorVersion}`)
  if (new Set(labels).size !== labels.length) yield `has versions of the same number: ${labels.join(', ')}`
  if (versions.some(({ acpId }) => acpId !== live.acpId)) yield 'has versions with other rights than its own'
  if (versions.some(({ parentId, path }) => parentId !== null || path !== null)) yield 'has versions in a folder'
  if (live.isCheckedIn && !live.isProxy && !versions.some(({ id }) => id === live.baseVersionId)) {
    yield 'is checked in on a version that is not there'
  }
}

function isNewIn(set: Set<string>, key: string): boolean {
  if (set.has(key)) return false
  set.add(key)
  return true
}

/** The snapshot in words that do not depend on ids, which no two repositories share. */
export function described({ top, documents, versions, aces }: Snapshot): readonly object[] {
  const all = [...documents, ...[...versions.values()].flat()]
  const labels = new Map<DocumentId, string>()
  for (const { id, path } of documents) labels.set(id, path ?? '')
  for (const [id, series] of versions) {
    for (const { id: versionId, majorVersion, minorVersion } of series) {
      labels.set(versionId, `${labels.get(id)} ${majorVersion}.${minorVersion}`)
    }
  }
  const labelOf = (id: DocumentId | null) => (id === null ? null : (labels.get(id) ?? 'something that is gone'))
  return all.map((document) => {
    const { repository, id, acpId, parentId, targetId, seriesId, baseVersionId, ...plain } = document
    return {
      ...plain,
      label: labelOf(id),
      parent: id === top.id ? null : labelOf(parentId),
      target: labelOf(targetId),
      series: labelOf(seriesId),
      base: labelOf(baseVersionId),
      effective: aces.get(acpId),
    }
  })
}
