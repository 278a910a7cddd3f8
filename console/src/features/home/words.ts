import { defineWords } from '../../words/words.ts'

export const useHomeWords = defineWords(
  {
    title: 'Home',
    mine: 'Changed by you',
    others: 'Changed by others',
    favorites: 'Favorites',
    all: 'Show all',
    empty: 'You have changed nothing yet',
    emptyHint: 'What you work on appears here, to go on with it.',
    toDocuments: 'Go to the documents',
    noFavorites: 'Press the star of a document to have it here.',
    noOthers: 'What others work on, where you may see it, appears here.',
    defaultPassword: 'You still have the password that every server begins with.',
    defaultPasswordHint: 'Whoever reaches this address can sign in with it.',
    choosePassword: 'Choose a password',
  },
  {
    title: 'Accueil',
    mine: 'Modifiés par vous',
    others: 'Modifiés par d’autres',
    favorites: 'Favoris',
    all: 'Tout afficher',
    empty: 'Vous n’avez encore rien modifié',
    emptyHint: 'Ce sur quoi vous travaillez apparaît ici, pour le reprendre.',
    toDocuments: 'Aller aux documents',
    noFavorites: 'Cliquez sur l’étoile d’un document pour l’avoir ici.',
    noOthers: 'Ce sur quoi les autres travaillent, là où vous pouvez le voir, apparaît ici.',
    defaultPassword: 'Vous avez encore le mot de passe de tout nouveau serveur.',
    defaultPasswordHint: 'Quiconque atteint cette adresse peut se connecter avec.',
    choosePassword: 'Choisir un mot de passe',
  },
)
