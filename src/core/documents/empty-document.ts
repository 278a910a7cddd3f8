import { firstChangeToken } from '../../model/change-token.ts'
import type { Document } from '../../model/document.ts'
import { noLifecycle, unknownState } from '../../model/lifecycle.ts'
import { defaultProperties, type Model } from '../../model/model.ts'

export interface EmptyDocument {
  readonly repository: string
  readonly id: string
  readonly type: string
  readonly name: string
  readonly parent: Document | undefined
  readonly initialState?: string
}

/** A document of the type that nobody has touched: schema defaults and the lifecycle's first state. */
export function emptyDocument(model: Model, of: EmptyDocument): Document {
  const shape = model.shapeOf({ type: of.type })
  return {
    repository: of.repository,
    id: of.id,
    parentId: of.parent?.id ?? null,
    name: of.name,
    path: null,
    position: null,
    type: of.type,
    facets: [],
    state: initialState(model, of.type, of.initialState),
    isTrashed: false,
    isVersion: false,
    isProxy: false,
    targetId: null,
    seriesId: null,
    isCheckedIn: false,
    majorVersion: 0,
    minorVersion: 0,
    baseVersionId: null,
    isLatestVersion: false,
    isLatestMajorVersion: false,
    versionCreated: null,
    versionComment: null,
    isRecord: false,
    retainUntil: null,
    hasLegalHold: false,
    lock: null,
    changeToken: firstChangeToken,
    acls: [],
    acpId: of.parent?.acpId ?? 0,
    properties: defaultProperties(shape),
  }
}

function initialState(model: Model, type: string, wanted: string | undefined): string {
  const lifecycle = model.lifecycleOf(type)
  if (wanted === undefined) return lifecycle?.initial ?? noLifecycle
  if (lifecycle === undefined || !(wanted in lifecycle.states)) {
    throw unknownState({ state: wanted, lifecycle: lifecycle?.name ?? noLifecycle })
  }
  return wanted
}
