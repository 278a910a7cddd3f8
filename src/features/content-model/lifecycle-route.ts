import type { Lifecycle } from '../../model/lifecycle.ts'
import type { Model } from '../../model/model.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'
import { cachedText } from './cached-text.ts'

const lifecycleSchema = Type.Object(
  {
    name: Type.String(),
    initial: Type.String({ description: 'The state of a new document' }),
    states: Type.Array(
      Type.Object({
        name: Type.String(),
        transitions: Type.Array(
          Type.Object({ name: Type.String(), destination: Type.String({ description: 'The state that it leads to' }) }),
          { description: 'Those that can be followed from there' },
        ),
      }),
    ),
    types: Type.Array(Type.String(), { description: 'Whose documents live so' }),
  },
  { $id: 'Lifecycle' },
)
const lifecyclesSchema = Type.Object(
  { 'entity-type': Type.Literal('lifecycles'), entries: Type.Array(lifecycleSchema) },
  { $id: 'Lifecycles' },
)

const path = '/config/lifecycles'

/** The lives that documents lead (contract: people 7.5). */
export const lifecycleRoute: Route = {
  method: 'GET',
  path,
  operationId: 'listLifecycles',
  under: 'api',
  summary: 'Every lifecycle that a document type has, with its states and the transitions between them',
  answers: { 200: lifecyclesSchema },
  handle: async ({ repository: { model } }) => {
    const text = cachedText(model, path, () => writeLifecycles(model)) ?? ''
    return { kind: 'entityText', status: 200, entityType: 'lifecycles', text }
  },
}

function writeLifecycles(model: Model): Static<typeof lifecyclesSchema> {
  const types = new Map<Lifecycle, string[]>()
  for (const type of [...model.types.keys()].sort()) {
    const lifecycle = model.lifecycleOf(type)
    if (lifecycle !== undefined) types.set(lifecycle, [...(types.get(lifecycle) ?? []), type])
  }
  const entries = [...types]
    .map(([lifecycle, names]) => writeLifecycle(lifecycle, names))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  return { 'entity-type': 'lifecycles', entries }
}

function writeLifecycle(lifecycle: Lifecycle, types: readonly string[]): Static<typeof lifecycleSchema> {
  const { name, initial, states, transitions } = lifecycle
  return {
    name,
    initial,
    states: Object.entries(states).map(([state, allowed]) => ({
      name: state,
      transitions: allowed.map((transition) => ({ name: transition, destination: transitions[transition] ?? state })),
    })),
    types,
  }
}
