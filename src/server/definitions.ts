import { builtinPlugins } from '../builtin-plugins.ts'
import type { StartOptions } from '../cli/serve/running-server.ts'
import { createModel, type Model } from '../model/model.ts'
import { modelMistake } from '../model/model-contributions.ts'
import { requireSoundConsole } from '../plugin/check-console.ts'
import { requireSoundContributions } from '../plugin/check-contributions.ts'
import { requireSoundDirectories } from '../plugin/check-directories.ts'
import { requireSoundOperations } from '../plugin/check-operations.ts'
import { requireSoundProviders } from '../plugin/check-page-providers.ts'
import { requireSoundWorkflows } from '../plugin/check-workflows.ts'
import { deferServices } from '../plugin/deferred-services.ts'
import type { Contributions, Plugin } from '../plugin/define-plugin.ts'
import { findContributor, gatherPlugins, parsePlugins, withContributed } from '../plugin/gather-plugins.ts'
import { pluginMistake } from '../plugin/plugin-mistake.ts'
import type { Services } from '../rest/services.ts'

/** What all plugins together say, checked and joined: before anything is opened, and without opening anything. */
export interface Definitions {
  readonly plugins: readonly Plugin[]
  readonly contributions: Contributions
  readonly model: Model
  /** Hands the services to the plugins, which were promised them. */
  arrive(services: Services): void
}

/** @throws pluginMistake */
export function readDefinitions({ plugins, settings }: Pick<StartOptions, 'plugins' | 'settings'>): Definitions {
  const { servicesFor, arrive } = deferServices()
  const contributing = (some: readonly Plugin[]) => withContributed(some, settings, servicesFor)
  const own = contributing(parsePlugins(plugins))
  const all = [...contributing(builtinPlugins), ...own]
  const contributions = gatherPlugins(all)
  requireSoundWorkflows(own, all)
  const model = createModelOf(all, contributions)
  // The built-in ones are looked at by a test: compiling their queries took a tenth of a second of every start.
  requireSoundProviders(own, contributions, model)
  requireSoundDirectories(all, model)
  requireSoundContributions(own, contributions, model)
  requireSoundOperations(all)
  requireSoundConsole(own, model)
  return { plugins: all, contributions, model, arrive }
}

/** A mistake in a definition shows only when everything is joined; the plugin that made it is named all the same. */
function createModelOf(plugins: readonly Plugin[], contributions: Contributions): Model {
  try {
    return createModel(contributions)
  } catch (error) {
    if (!modelMistake.is(error)) throw error
    const { kind, name, reason, definition } = error.details
    const plugin = findContributor(plugins, definition) ?? 'unknown'
    throw pluginMistake({ plugin, reason: `${kind} ${name} ${reason}` }, { cause: error })
  }
}
