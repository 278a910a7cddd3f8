import { createRegistry } from '../automation/registry.ts'
import { exposedSchemaName, isEmpty, variablesSchemaName, type WorkflowModel } from '../automation/workflow.ts'
import { workflowMistakes } from '../automation/workflow-mistakes.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/**
 * What a workflow names is known only when everything is joined. Those of `checked` are looked at, beside those of all plugins.
 * @throws pluginMistake with all that is wrong with one
 */
export function requireSoundWorkflows(checked: readonly Plugin[], plugins: readonly Plugin[]): void {
  if (checked.every(({ workflows = [] }) => workflows.length === 0)) return
  const surroundings = {
    operations: createRegistry(
      // What is no operation is told by its own check.
      plugins.flatMap(({ operations = [] }) => operations).filter(({ methods }) => Array.isArray(methods)),
      plugins.flatMap(({ chains = [] }) => chains),
    ),
    models: new Set(plugins.flatMap(({ workflows = [] }) => workflows.map(({ name }) => name))),
    permissions: new Set(plugins.flatMap(({ permissions = [] }) => permissions.map(({ name }) => name))),
  }
  const owners = new Map<string, string>()
  for (const plugin of plugins) {
    for (const model of plugin.workflows ?? []) {
      const taken = takenSchemas(owners, model)
      if (!checked.includes(plugin)) continue
      const mistakes = [...workflowMistakes(model, surroundings), ...taken]
      if (mistakes.length > 0)
        throw pluginMistake({ plugin: plugin.name, reason: `workflow ${model.name} ${mistakes.join('; ')}` })
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
