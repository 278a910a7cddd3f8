import { type Document, pristine } from '../../model/document.ts'
import { hasState, mayBeginIn, noLifecycle, stateOfTrash, unknownState } from '../../model/lifecycle.ts'
import { defaultProperties, type Model } from '../../model/model.ts'

export interface EmptyDocument {
  readonly repository: string
  readonly id: string
  readonly type: string
  readonly name: string
  readonly parent: Document | undefined
  readonly initialState?: string
}

/** Of a document that is not stored and in no folder: no list of rights has this id. */
export const noAcpId = 0

/** A fresh document of the type: schema defaults and the lifecycle's first state. */
export function emptyDocument(model: Model, of: EmptyDocument): Document {
  const shape = model.shapeOf({ type: of.type })
  return {
    ...pristine,
    repository: of.repository,
    id: of.id,
    parentId: of.parent?.id ?? null,
    name: of.name,
    path: null,
    type: of.type,
    state: initialState(model, of.type, of.initialState),
    acpId: of.parent?.acpId ?? noAcpId,
    properties: defaultProperties(shape),
  }
}

function initialState(model: Model, type: string, wanted: string | undefined): string {
  const lifecycle = model.lifecycleOf(type)
  if (wanted === undefined) return lifecycle?.initial ?? noLifecycle
  if (lifecycle === undefined || !hasState(lifecycle, wanted)) {
    throw unknownState({ state: wanted, lifecycle: lifecycle?.name ?? noLifecycle })
  }
  if (!mayBeginIn(lifecycle, wanted)) throw stateOfTrash({ state: wanted })
  return wanted
}
