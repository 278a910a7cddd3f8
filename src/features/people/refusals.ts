/** What whoever may not look after users and groups is told; clients compare these sentences (people 3.7). */
export const createRefusal = 'Cannot create artifact'
export const editRefusal = 'User is not allowed to edit users'
