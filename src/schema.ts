/** The whole API: the schema of every `*.graphql.ts`. */
import './generated/graphql-files.ts'
import { builder } from './kit/schema/builder.ts'

export const schema = builder.toSchema()
