import { definePlugin } from '../../plugin/define-plugin.ts'
import { favoritesEnricher } from './favorites-enricher.ts'
import { favoritesProvider, favoritesType } from './favorites-model.ts'
import { favoritesOperations } from './operations.ts'

/** A collection that every user has: what they like to have at hand. */
export default definePlugin({
  name: 'favorites',
  requires: ['content-model', 'collections', 'user-workspaces'],
  documentTypes: [favoritesType],
  pageProviders: [favoritesProvider],
  enrichers: [favoritesEnricher],
  operations: favoritesOperations,
})
