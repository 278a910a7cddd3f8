import { defineProblem } from '../base/problem.ts'

/** A plugin that cannot be used, found at start: names the plugin and what to change in it. */
export const pluginMistake = defineProblem(
  'pluginMistake',
  'invalid',
  (of: { plugin: string; reason: string }) => `plugin ${of.plugin}: ${of.reason}`,
)
