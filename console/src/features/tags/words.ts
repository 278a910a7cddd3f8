import { defineWords } from '../../words/words.ts'

export const useTagWords = defineWords(
  {
    tags: 'Tags',
    add: 'Add a tag',
    remove: 'Remove the tag {tag}',
    removed: 'The tag {tag} was removed',
    undo: 'Undo',
    none: 'No tags',
    more: '{count} more',
    title: 'Tagged “{tag}”',
    documents: 'Documents tagged {tag}',
    nothing: 'Nothing is tagged “{tag}”',
    nothingHint: 'Tags are added on the page of a document.',
  },
  {
    tags: 'Mots-clés',
    add: 'Ajouter un mot-clé',
    remove: 'Retirer le mot-clé {tag}',
    removed: 'Le mot-clé {tag} a été retiré',
    undo: 'Annuler',
    none: 'Aucun mot-clé',
    more: '{count} de plus',
    title: 'Mot-clé « {tag} »',
    documents: 'Documents avec le mot-clé {tag}',
    nothing: 'Rien n’a le mot-clé « {tag} »',
    nothingHint: 'Les mots-clés s’ajoutent sur la page d’un document.',
  },
)
