import type { WorkflowModel } from '../../../automation/workflow.ts'
import { memoised } from '../../../base/cache/memo.ts'
import type { Document } from '../../../model/document.ts'
import { titleOf } from '../../../model/document.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import type { RenderContext } from '../../../rest/render/rendering.ts'
import { bestLanguage } from '../../../rest/request/accept-language.ts'
import { drawnNode, itemsAt, nodeIdOf, textAt } from '../instance/route-documents.ts'

const nodeSchema = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'In the language of the caller' }),
  state: Type.String(),
  x: Type.Integer(),
  y: Type.Integer(),
  isStartNode: Type.Boolean(),
  isEndNode: Type.Boolean(),
  startNode: Type.Boolean(),
  endNode: Type.Boolean(),
  isMerge: Type.Boolean(),
  isMultiTask: Type.Boolean(),
  hasSubWorkflow: Type.Boolean(),
  isForkNode: Type.Boolean(),
})

const transitionSchema = Type.Object({
  nodeSourceId: Type.String(),
  nodeTargetId: Type.String(),
  label: Type.String(),
  path: Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() })),
})

const graphFields = { nodes: Type.Array(nodeSchema), transitions: Type.Array(transitionSchema) }

export const graphSchema = Type.Object({ 'entity-type': Type.Literal('graph'), ...graphFields }, { $id: 'WorkflowGraph' })

type GraphNodeEntity = Static<typeof nodeSchema>
type GraphEntity = Omit<Static<typeof graphSchema>, 'entity-type'>

/** What a key means in the best of the languages; a key that nobody has a text for stands for itself. */
export type Translate = (key: string) => string

export function translator(models: Iterable<WorkflowModel>, locales: readonly string[]): Translate {
  const labels = [...models].flatMap((model) => (model.labels === undefined ? [] : [model.labels]))
  const languages = [...new Set(['en', ...labels.flatMap((one) => Object.keys(one))])]
  const language = bestLanguage(locales, languages, 'en')
  const find = (wanted: string, key: string) => labels.find((one) => one[wanted]?.[key] !== undefined)?.[wanted]?.[key]
  return (key) => find(language, key) ?? find('en', key) ?? key
}

/** For all that one answer shows: a list may have a thousand tasks. */
const translatorIn = memoised((context: RenderContext) => translator(context.services.workflows.values(), context.locales))

/** Words instead of keys for the parts of an entity that the caller wants so: `translate.task: directive`. */
export function translateWished(context: RenderContext, entityType: 'task' | 'workflow') {
  const wished = context.translate(entityType)
  return <Text extends string | null>(part: string, key: Text): Text | string =>
    key === null || !wished.includes(part) ? key : translatorIn(context)(key)
}

/** A workflow as a picture shows it (contract: workflow 3.3). */
export function writeGraph(nodes: readonly Document[], translate: Translate): GraphEntity {
  return {
    nodes: nodes.map((node) => writeNode(node, translate)),
    transitions: nodes.flatMap((node) =>
      itemsAt(node, 'rnode:transitions').map((properties) => {
        const label = textAt({ properties }, 'label')
        return {
          nodeSourceId: nodeIdOf(node),
          nodeTargetId: textAt({ properties }, 'targetId') ?? '',
          label: label === undefined ? '' : translate(label),
          path: itemsAt({ properties }, 'path').map(({ x, y }) => ({ x: Number(x ?? 0), y: Number(y ?? 0) })),
        }
      }),
    ),
  }
}

function writeNode(node: Document, translate: Translate): GraphNodeEntity {
  const { isStart, isStop, merge, kind, transitions, takesOnlyFirst } = drawnNode(node)
  return {
    id: nodeIdOf(node),
    title: translate(titleOf(node)),
    state: node.state,
    x: placeOf(node, 'rnode:taskX'),
    y: placeOf(node, 'rnode:taskY'),
    isStartNode: isStart,
    isEndNode: isStop,
    startNode: isStart,
    endNode: isStop,
    isMerge: merge !== undefined,
    isMultiTask: node.properties['rnode:hasMultipleTasks'] === true,
    hasSubWorkflow: kind === 'child',
    isForkNode: !isStart && kind === 'pass' && transitions.length > 1 && !takesOnlyFirst,
  }
}

function placeOf(node: Document, name: string): number {
  return Math.trunc(Number(textAt(node, name) ?? 0)) || 0
}
