/** What callers who may not manage users and groups are told; clients compare these sentences (people 3.7). */
export const createRefusal = 'Cannot create artifact'
export const editRefusal = 'User is not allowed to edit users'
