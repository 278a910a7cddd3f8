import { findProviderMistake } from '../core/search/check-provider.ts'
import type { Model } from '../model/model.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './gather-plugins.ts'

/** What a provider asks for shows only when the model is made. @throws pluginMistake */
export function requireSoundProviders(plugins: readonly Plugin[], model: Model): void {
  for (const { name, pageProviders = [] } of plugins) {
    for (const provider of pageProviders) {
      const mistake = provider.enabled === false ? undefined : findProviderMistake(provider, model)
      if (mistake !== undefined) throw pluginMistake({ plugin: name, reason: `page provider ${provider.name} ${mistake}` })
    }
  }
}
