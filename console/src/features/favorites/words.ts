import { defineWords } from '../../words/words.ts'

export const useFavoriteWords = defineWords(
  {
    title: 'Favorites',
    hint: 'What you like to have at hand. Only you see this list.',
    add: 'Add to favorites',
    added: { one: '{count} document is among your favorites', other: '{count} documents are among your favorites' },
    remove: 'Remove from favorites',
    removed: { one: '{count} document is no longer a favorite', other: '{count} documents are no longer favorites' },
    undo: 'Undo',
    nothing: 'No favorites yet',
    nothingHint: 'Press the star on a document that you need often.',
    all: 'All favorites',
  },
  {
    title: 'Favoris',
    hint: 'Ce que vous aimez avoir sous la main. Vous seul voyez cette liste.',
    add: 'Ajouter aux favoris',
    added: { one: '{count} document est dans vos favoris', other: '{count} documents sont dans vos favoris' },
    remove: 'Retirer des favoris',
    removed: { one: '{count} document n’est plus un favori', other: '{count} documents ne sont plus des favoris' },
    undo: 'Annuler',
    nothing: 'Pas encore de favoris',
    nothingHint: 'Cliquez sur l’étoile d’un document dont vous avez souvent besoin.',
    all: 'Tous les favoris',
  },
)
