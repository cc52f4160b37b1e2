import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../Problems.ts"
import type { CurrentActor } from "./Authorization.ts"

/** All problems of a post's body at once: those of its shape and those of its content. */
export class PostProblems extends HttpApiMiddleware.Service<PostProblems, { requires: CurrentActor }>()(
  "@carillon/domain/api/PostProblems",
  { error: BadRequest }
) {}
