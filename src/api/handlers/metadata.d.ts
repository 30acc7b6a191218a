/** `POST …/{data_source}/metadata/…`: what a source holds. */
import { type MetadataKind } from "../../service/metadata.ts";
import { type Handler } from "./handler.ts";
export declare function handleMetadata(kind: MetadataKind): Handler;
