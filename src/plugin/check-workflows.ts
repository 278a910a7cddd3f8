import { createRegistry } from '../automation/registry.ts'
import { exposedSchemaName, isEmpty, variablesSchemaName, type WorkflowModel } from '../automation/workflow.ts'
import { workflowMistakes } from '../automation/workflow-mistakes.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** What a workflow names is known only when everything is joined. @throws pluginMistake with all that is wrong with one */
export function requireSoundWorkflows(plugins: readonly Plugin[]): void {
  const models = plugins.flatMap(({ workflows = [] }) => workflows)
  if (models.length === 0) return
  const surroundings = {
    operations: createRegistry(
      plugins.flatMap(({ operations = [] }) => operations),
      plugins.flatMap(({ chains = [] }) => chains),
    ),
    models: new Set(models.map(({ name }) => name)),
    permissions: new Set(plugins.flatMap(({ permissions = [] }) => permissions.map(({ name }) => name))),
  }
  const owners = new Map<string, string>()
  for (const { name: plugin, workflows = [] } of plugins) {
    for (const model of workflows) {
      const mistakes = [...workflowMistakes(model, surroundings), ...takenSchemas(owners, model)]
      if (mistakes.length > 0) throw pluginMistake({ plugin, reason: `workflow ${model.name} ${mistakes.join('; ')}` })
    }
  }
}

/** Ids of nodes that have variables name schemas, of which no two workflows can have the same. */
function takenSchemas(owners: Map<string, string>, model: WorkflowModel): readonly string[] {
  return schemaNamesOf(model).flatMap(({ schema, owner }) => {
    const other = owners.get(schema)
    owners.set(schema, `${owner} of ${model.name}`)
    return other === undefined ? [] : [`has variables of ${owner} where ${other} has some already: give it another name`]
  })
}

function schemaNamesOf({ name, variables, nodes }: WorkflowModel) {
  return [
    ...(isEmpty(variables) ? [] : [{ schema: variablesSchemaName(name), owner: 'the workflow' }]),
    ...Object.entries(nodes ?? {}).flatMap(([id, node]) => [
      ...(isEmpty(node.variables) ? [] : [{ schema: variablesSchemaName(id), owner: `node ${id}` }]),
      ...((node.exposes ?? []).length === 0 ? [] : [{ schema: exposedSchemaName(id), owner: `node ${id}` }]),
    ]),
  ]
}
