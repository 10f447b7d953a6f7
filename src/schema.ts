/** The whole API: the schema of every `*.graphql.ts`. */
import './generated/graphql-files.ts'
import { describeAccess } from './kit/schema/access-text.ts'
import { builder } from './kit/schema/builder.ts'

export const schema = builder.toSchema()
describeAccess(schema)
