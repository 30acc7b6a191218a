// The Go client of the Model Context Protocol: lists, reads, calls and cancels, and prints what it saw as JSON.
//
// Arguments: the address of a project, the mode ("legacy" or a revision), a statement, and one that runs for hours.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	url, mode, statement, endless := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil)
	options := &mcp.ClientSessionOptions{ProtocolVersion: mode}
	if mode == "legacy" {
		options.ProtocolVersion = "2025-11-25"
	}
	transport := &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}
	session, err := client.Connect(ctx, transport, options)
	check(err)
	listed, err := session.ListTools(ctx, nil)
	check(err)
	names := []string{}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	resources, err := session.ListResources(ctx, nil)
	check(err)
	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: resources.Resources[0].URI})
	check(err)
	answer, err := session.CallTool(ctx, query(statement))
	check(err)
	short, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	_, err = session.CallTool(short, query(endless))
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"tools":      names,
		"text":       read.Contents[0].Text,
		"structured": answer.StructuredContent,
		"cancelled":  errors.Is(err, context.DeadlineExceeded),
	}))
	check(session.Close())
}

func query(sql string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "query", Arguments: map[string]any{"sql": sql}}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
