import type { Operation } from '../automation/operation.ts'
import type { Adapter } from './adapter.ts'
import type { Enricher, EntityWriter, Rendering } from './render/rendering.ts'
import type { ResourceRoot } from './resource.ts'
import type { Route } from './route.ts'

/** Every address that answers: what plugins contribute to dispatch and documentation. */
export interface Registry {
  readonly routes: readonly Route[]
  readonly resourceRoots: ReadonlyMap<string, ResourceRoot>
  readonly adapters: ReadonlyMap<string, Adapter>
  /** By entity type, for the documentation of what shows them. */
  readonly entityWriters: ReadonlyMap<string, EntityWriter>
  /** For the documentation of what they add. */
  readonly enrichers: readonly Enricher[]
  /** What the command endpoint runs, for the documentation. */
  readonly operations: readonly Operation[]
}

export function createRegistry(contributions: {
  readonly routes: readonly Route[]
  readonly resources: readonly ResourceRoot[]
  readonly adapters: readonly Adapter[]
  readonly operations?: readonly Operation[]
  readonly entityWriters?: readonly EntityWriter[]
  readonly enrichers?: readonly Enricher[]
}): Registry {
  return {
    routes: contributions.routes,
    resourceRoots: new Map(contributions.resources.map((root) => [root.segment, root])),
    adapters: new Map(contributions.adapters.map((adapter) => [adapter.name, adapter])),
    entityWriters: byEntityType(contributions.entityWriters ?? []),
    enrichers: contributions.enrichers ?? [],
    operations: contributions.operations ?? [],
  }
}

export function createRendering(contributions: {
  readonly entityWriters: readonly EntityWriter[]
  readonly enrichers: readonly Enricher[]
}): Rendering {
  const { enrichers } = contributions
  const ofDocuments = enrichers.flatMap((one) => (one.entityType === 'document' ? [[one.name, one] as const] : []))
  const ofUsers = enrichers.flatMap((one) => (one.entityType === 'user' ? [[one.name, one] as const] : []))
  const [documentEnrichers, userEnrichers] = [new Map(ofDocuments), new Map(ofUsers)]
  return {
    entityWriters: byEntityType(contributions.entityWriters),
    findDocumentEnricher: (name) => documentEnrichers.get(name),
    findUserEnricher: (name) => userEnrichers.get(name),
  }
}

function byEntityType(writers: readonly EntityWriter[]): ReadonlyMap<string, EntityWriter> {
  return new Map(writers.map((writer) => [writer.entityType, writer]))
}
